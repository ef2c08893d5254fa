// A learning record store (xAPI) that pages of classes tell what is done in them. The pages send it themselves, so that whoever
// has the key of a set can read what stands here: an authorisation that may do no more than add statements.
#pragma once

#include <string>

namespace conpole {

struct RecordStore {
  std::string endpoint;  // the address before /statements; without an origin it is one of the page's own server
  std::string auth;      // what stands in the header Authorization; empty for none

  // "https://lrs.example"; empty for the page's own.
  std::string Origin() const;
};

// From a file: {"endpoint": "https://lrs.example/xapi", "auth": "Basic ..."}. Throws Error that says what is wrong with it.
RecordStore ReadRecordStore(const std::string& path);

}  // namespace conpole
