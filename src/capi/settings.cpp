#include "base/error.hpp"
#include "base/text.hpp"
#include "capi/options.hpp"

namespace dpadapt::capi {
namespace {

std::optional<double> number_or_word(const OptionValue &value) {
    if (!value.word.empty()) return std::nullopt;
    return value.number;
}

/** Without privacy nothing is clipped unless the caller asks for it. */
Bound bound(const OptionValues &values, Option option) {
    const OptionValue &value = values[option];
    if (value.word.empty()) return {Bound::Kind::number, value.number};
    if (value.word == "quantile")
        return {Bound::Kind::quantile, values[Option::bound_quantile].number};
    return {Bound::Kind::absent, 0.0};
}

template <typename Enum>
Enum choose(const OptionValue &value, std::initializer_list<std::pair<const char *, Enum>> table) {
    for (const auto &[word, choice] : table)
        if (value.word == word) return choice;
    return std::prev(table.end())->second;
}

std::vector<double> numbers(const std::string &text) {
    std::vector<double> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(", \t", at);
        if (begin == std::string::npos) break;
        at = std::min(text.find_first_of(", \t", begin), text.size());
        result.push_back(parse_number(text.substr(begin, at - begin)).value());
    }
    return result;
}

/** Refuses what this version cannot do rather than do something else. */
void check_supported(const OptionValues &values) {
    const std::string &domain = values[Option::private_domain].word;
    const bool unset = !values[Option::epsilon].word.empty() && !values[Option::delta].word.empty();
    if (domain != "none")
        throw Error(unset ? DPA_E_OPTION : DPA_E_UNSUPPORTED,
                    "option private_domain is " + domain +
                        ", but this version has no private methods; set private_domain to none to "
                        "compute without any privacy protection");
    if (!unset)
        throw Error(DPA_E_OPTION,
                    "option epsilon or delta is set, but private_domain is none: nothing would be "
                    "protected");
    if (values[Option::mu].number != 1.0)
        throw Error(
            DPA_E_UNSUPPORTED,
            "option mu belongs to the general form of the objective, which this version does "
            "not solve; it must be 1");
    for (const Option option : {Option::lambda_1, Option::lambda_2, Option::lambda_inf})
        if (values[option].number != 0.0)
            throw Error(DPA_E_UNSUPPORTED,
                        std::string("option ") + option_spec(option).name +
                            " belongs to the general form of the objective, which "
                            "this version does not solve; it must be 0");
}

}  // namespace

Settings make_settings(const OptionValues &values) {
    check_supported(values);
    Settings settings{};
    settings.alpha = number_or_word(values[Option::alpha]);
    settings.kappa_1 = number_or_word(values[Option::kappa_1]);
    settings.kappa_2 = values[Option::kappa_2].number;
    settings.kappa_inf = values[Option::kappa_inf].number;
    settings.radius = number_or_word(values[Option::radius]);
    settings.discrepancy = number_or_word(values[Option::discrepancy]);
    settings.discrepancy_kind = choose<DiscrepancyKind>(
        values[Option::discrepancy_kind],
        {{"labelled", DiscrepancyKind::labelled}, {"unlabelled", DiscrepancyKind::unlabelled}});
    settings.discrepancy_method = choose<DiscrepancyMethod>(
        values[Option::discrepancy_method],
        {{"trust_region", DiscrepancyMethod::trust_region}, {"dca", DiscrepancyMethod::dca}});
    settings.center_kind = choose<CenterKind>(
        values[Option::discrepancy_center],
        {{"zero", CenterKind::zero}, {"source", CenterKind::source}, {"", CenterKind::given}});
    if (settings.center_kind == CenterKind::given)
        settings.center = numbers(values[Option::discrepancy_center].word);
    settings.discrepancy_radius = number_or_word(values[Option::discrepancy_radius]);
    settings.preprocess = choose<PreprocessKind>(values[Option::preprocess],
                                                 {{"none", PreprocessKind::none},
                                                  {"standardize", PreprocessKind::standardize},
                                                  {"whiten", PreprocessKind::whiten}});
    settings.whiten_ridge = values[Option::whiten_ridge].number;
    settings.intercept = values[Option::intercept].integer != 0;
    settings.feature_radius = bound(values, Option::feature_radius);
    settings.label_bound = bound(values, Option::label_bound);
    if (values[Option::iterations].word.empty())
        settings.iterations = static_cast<std::size_t>(values[Option::iterations].integer);
    settings.tolerance = values[Option::tolerance].number;
    settings.threads = static_cast<std::size_t>(values[Option::threads].integer);
    return settings;
}

}  // namespace dpadapt::capi
