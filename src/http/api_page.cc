#include "http/api_page.h"

#include <algorithm>

#include <fmt/format.h>

namespace conpole {
namespace {

using PageJson = nlohmann::ordered_json;

std::string Escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string TextAt(const PageJson& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

class ApiPage {
 public:
  explicit ApiPage(const PageJson& document) : document_(document) {}

  std::string Write() {
    const PageJson& info = document_["info"];
    html_ = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}: the API</title>\n"
        "<link rel=\"stylesheet\" href=\"docs.css\">\n</head>\n<body>\n<main>\n<h1>{0} {1}: the API</h1>\n<p>{2}</p>\n"
        "<p><a href=\"openapi.json\">openapi.json</a>, <a href=\"openapi.yaml\">openapi.yaml</a></p>\n",
        Escaped(TextAt(info, "title")), Escaped(TextAt(info, "version")), Escaped(TextAt(info, "description")));
    for (const PageJson& tag : document_["tags"]) AddTag(tag);
    html_ += "</main>\n</body>\n</html>\n";
    return std::move(html_);
  }

 private:
  const PageJson& Resolved(const PageJson& node) const {
    const PageJson* found = &node;
    while (found->contains("$ref"))
      found = &document_.at(PageJson::json_pointer((*found)["$ref"].get<std::string>().substr(1)));
    return *found;
  }

  void AddTag(const PageJson& tag) {
    html_ += fmt::format("<h2>{}</h2>\n", Escaped(TextAt(tag, "description")));
    for (const auto& [path, methods] : document_["paths"].items()) {
      for (const auto& [method, operation] : methods.items()) {
        const PageJson& tags = operation["tags"];
        if (std::find(tags.begin(), tags.end(), tag["name"]) != tags.end()) AddOperation(path, method, operation);
      }
    }
  }

  void AddOperation(const std::string& path, std::string method, const PageJson& operation) {
    std::transform(method.begin(), method.end(), method.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    html_ += fmt::format("<section id=\"{}\">\n<h3><code>{} {}</code></h3>\n<p>{}. {}</p>\n",
                         Escaped(TextAt(operation, "operationId")), method, Escaped(path),
                         Escaped(TextAt(operation, "summary")), Escaped(TextAt(operation, "description")));
    if (operation.contains("requestBody")) {
      const PageJson& content = operation["requestBody"]["content"]["application/json"];
      AddFields(Resolved(content["schema"]));
      std::string example = content["example"].dump();
      for (std::size_t at = 0; (at = example.find('\'', at)) != std::string::npos; at += 4) example.replace(at, 1, "'\\''");
      html_ += fmt::format("<pre>curl --json '{}' {}{}</pre>\n", Escaped(example),
                           Escaped(TextAt(document_["servers"][0], "url")), Escaped(path));
    }
    html_ += "</section>\n";
  }

  void AddFields(const PageJson& schema) {
    if (!schema.contains("properties")) return;
    const PageJson required = schema.value("required", PageJson::array());
    html_ += "<table>\n<thead><tr><th>field</th><th>type</th><th>default</th><th>what it is</th></tr></thead>\n<tbody>\n";
    for (const auto& [name, reference] : schema["properties"].items()) {
      const PageJson& field = Resolved(reference);
      std::string type = TextAt(field, "type");
      if (field.contains("enum")) type = field["enum"].dump();
      const bool is_needed = std::find(required.begin(), required.end(), name) != required.end();
      html_ += fmt::format("<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>\n", Escaped(name),
                           Escaped(type), is_needed ? "needed" : Escaped(TextAt(field, "default")),
                           Escaped(TextAt(field, "description")));
    }
    html_ += "</tbody>\n</table>\n";
  }

  const PageJson& document_;
  std::string html_;
};

}  // namespace

std::string WriteApiPage(const nlohmann::ordered_json& document) { return ApiPage(document).Write(); }

std::string_view ApiPageStyles() {
  return R"css(:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-block-end: 1px solid #8886; }
pre { overflow-x: auto; padding: 0.75rem; background: #8882; }
section { margin-block: 2rem; }
)css";
}

}  // namespace conpole
