#include "arguments.hpp"

#include <string_view>

namespace jithash::cli {
namespace {

bool takes_value(const CLI::Option* option) {
  return option != nullptr && option->get_items_expected_max() > 0;
}

// The only long option that `start` begins or is the name of, in full; otherwise `start` itself.
std::string full_name(const CLI::App& command, std::string_view start) {
  std::string found;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (name == start) return name;
      if (!name.starts_with(start)) continue;
      if (!found.empty()) return std::string{start};
      found = name;
    }
  }
  return found.empty() ? std::string{start} : found;
}

// Whether the last of the short options joined in `cluster` has its value in the next argument.
bool wants_more(const CLI::App& command, std::string_view cluster) {
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (takes_value(command.get_option_no_throw(std::string{'-', cluster[i]})))
      return i + 1 == cluster.size();
  }
  return false;
}

}  // namespace

separated separate(const CLI::App& command, std::span<const std::string> arguments) {
  separated result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    bool value_follows = false;
    if (argument == "--") {
      const auto rest = arguments.subspan(i + 1);
      result.operands.insert(result.operands.end(), rest.begin(), rest.end());
      break;
    } else if (argument.starts_with("--")) {
      const std::size_t equals = argument.find('=');
      const bool has_value = equals != std::string::npos;
      const std::string name =
          full_name(command, std::string_view{argument}.substr(2, has_value ? equals - 2 : equals));
      result.options.push_back("--" + name + (has_value ? argument.substr(equals) : ""));
      value_follows = !has_value && takes_value(command.get_option_no_throw("--" + name));
    } else if (argument.size() > 1 && argument.starts_with('-')) {
      result.options.push_back(argument);
      value_follows = wants_more(command, std::string_view{argument}.substr(1));
    } else {
      result.operands.push_back(argument);
    }
    if (value_follows && i + 1 < arguments.size()) result.options.push_back(arguments[++i]);
  }
  return result;
}

}  // namespace jithash::cli
