#pragma once

#include <string_view>

namespace dpadapt {

/** The phases of a call, as the caller's progress function is told them; options.h documents
 *  each. */
constexpr std::string_view kPhases[] = {"preprocess",
                                        "public fit",
                                        "trust",
                                        "discrepancy",
                                        "solve",
                                        "private steps",
                                        "weighted fit",
                                        "matching",
                                        "interior point",
                                        "likelihood",
                                        "leave-one-out",
                                        "moment matching",
                                        "discrepancy minimization",
                                        "candidates",
                                        "selection",
                                        "evaluation",
                                        "forecast"};

/** One of them: a text that is none does not compile. */
struct Phase {
    consteval Phase(const char *text) : name(text) {
        for (const std::string_view phase : kPhases)
            if (phase == text) return;
        throw "not in the list of phases";
    }

    const char *name;
};

}  // namespace dpadapt
