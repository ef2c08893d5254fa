// Markup as fields of JSON objects: notation, mathml, speech and, where there is one, picture. Any thread may call any of this.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "subjects/markup.h"

namespace conpole {

// {"kind": "bars", "values", "moved"}, {"kind": "cube", "stickers", "turn"} or {"kind": "fractions", "terms"}; of the second
// and third field of each only what there is.
nlohmann::ordered_json PictureToJson(const Picture& picture);

// Adds the fields to an object, each with the prefix before its name.
void AddMarkup(nlohmann::ordered_json& object, const Markup& markup, const std::string& prefix = {});
// The same, and before_mathml, which has no prefix.
void AddMarkup(nlohmann::ordered_json& object, const StepMarkup& markup, const std::string& prefix = {});

}  // namespace conpole
