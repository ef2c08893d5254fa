// What a model file says about itself, without its weights. Any thread may call this.
#pragma once

#include <map>
#include <string>

namespace conpole {

// Model::metadata of a model file (nn/model.h). Only its header is read. Throws Error, naming the file, if that is not the
// header of a model.
std::map<std::string, std::string> ReadModelMetadata(const std::string& path);

}  // namespace conpole
