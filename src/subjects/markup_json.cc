#include "subjects/markup_json.h"

#include <variant>

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const BarsPicture& picture) {
  Json values = Json::array();
  for (const double value : picture.values) {
    // A whole number is written as one.
    constexpr double kExact = 1e15;
    const bool whole = value > -kExact && value < kExact && value == static_cast<double>(static_cast<std::int64_t>(value));
    values.push_back(whole ? Json(static_cast<std::int64_t>(value)) : Json(value));
  }
  Json json{{"kind", "bars"}, {"values", values}};
  if (!picture.moved.empty()) json["moved"] = picture.moved;
  return json;
}

Json ToJson(const CubePicture& picture) {
  Json json{{"kind", "cube"}, {"stickers", picture.stickers}};
  if (!picture.turn.empty()) json["turn"] = picture.turn;
  return json;
}

Json ToJson(const FractionsPicture& picture) {
  Json terms = Json::array();
  for (const FractionsPicture::Term& term : picture.terms) {
    Json json{{"numerator", term.numerator}, {"denominator", term.denominator}};
    if (term.sign != 0) json["operator"] = std::string(1, term.sign);
    terms.push_back(std::move(json));
  }
  return {{"kind", "fractions"}, {"terms", terms}};
}

Json ToJson(const BalancePicture& picture) {
  const auto pan = [](const BalancePicture::Pan& one) { return Json{{"unknowns", one.unknowns}, {"ones", one.ones}}; };
  return {{"kind", "balance"}, {"unknown", picture.unknown}, {"left", pan(picture.left)}, {"right", pan(picture.right)}};
}

Json ToJson(const GridPicture& picture) {
  Json json{{"kind", "grid"}, {"rows", picture.rows}, {"colours", picture.colours}};
  if (!picture.moved.empty()) json["moved"] = picture.moved;
  return json;
}

}  // namespace

Json PictureToJson(const Picture& picture) {
  return std::visit([](const auto& one) { return ToJson(one); }, picture);
}

void AddMarkup(Json& object, const Markup& markup, const std::string& prefix) {
  object[prefix + "notation"] = markup.notation;
  object[prefix + "mathml"] = markup.mathml;
  object[prefix + "speech"] = markup.speech;
  if (markup.picture) object[prefix + "picture"] = PictureToJson(*markup.picture);
}

void AddMarkup(Json& object, const StepMarkup& markup, const std::string& prefix) {
  AddMarkup(object, static_cast<const Markup&>(markup), prefix);
  object["before_mathml"] = markup.before_mathml;
}

}  // namespace conpole
