// Where the models are that come with the program. Any thread may ask.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// The path of the model for a domain (by its type's name); nothing if there is none. Looked for in the folder that the
// environment variable CONPOLE_MODELS names or, if that is not set or empty, beside the program: ../models in a build folder,
// ../share/conpole/models where it is installed. Throws Error if CONPOLE_MODELS names something without any model.
std::optional<std::string> FindShippedModel(std::string_view domain);

}  // namespace conpole
