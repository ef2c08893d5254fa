// What a model file says about itself, without its weights. Any thread may call this.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace conpole {

// Model::metadata of a model file (nn/model.h). Only its header is read. Throws Error, naming the file, if that is not the
// header of a model.
std::map<std::string, std::string> ReadModelMetadata(const std::string& path);

// A model of several domains says its metadata of each of them under these keys: "1.domain" of the second. Under the keys
// alone, domain has all of them, and numbers are means.
std::string KeyOfDomain(std::size_t domain, std::string_view key);

}  // namespace conpole
