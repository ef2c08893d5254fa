// The files of a page, read into memory once: a path is looked up among those that there are, so that no path leads anywhere
// else. Immutable; any thread may use it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/http.h"

namespace conpole {

class StaticFiles {
 public:
  // No files.
  StaticFiles() = default;
  // All regular files below a folder; those whose names begin with a dot and links that lead out of it are left out. A file
  // beside another one with .br or .gz behind its name is that file, compressed. Throws Error if there is no index.html, or if
  // they are too large to be held.
  explicit StaticFiles(const std::string& folder);

  bool empty() const { return files_.empty(); }
  std::size_t bytes() const { return bytes_; }

  // Lets the policy in index.html allow requests to another origin, too. The service worker changes with it, so that browsers
  // that keep the page fetch it anew.
  void AllowRequestsTo(const std::string& origin);

  // What a GET of this path gives; nothing if there is no such file. A folder is its index.html.
  std::optional<HttpResponse> Get(const HttpHead& head) const;
  bool Has(std::string_view path) const;

 private:
  struct File {
    std::shared_ptr<const std::string> content;
    std::string tag;  // for If-None-Match
    std::string_view type;
    // Of the same content; null if there is none.
    std::shared_ptr<const std::string> brotli = nullptr;
    std::shared_ptr<const std::string> gzip = nullptr;
  };

  const File* Find(std::string_view path) const;
  void Change(const std::string& path, std::string content);

  std::map<std::string, File, std::less<>> files_;  // by their paths: /index.html
  std::size_t bytes_ = 0;
};

// What programs call the type of a file, by the end of its name.
std::string_view MediaType(std::string_view path);
// Whether a header's list (Accept-Encoding, Accept) names this and does not refuse it with q=0.
bool Accepts(std::string_view list, std::string_view name);

}  // namespace conpole
