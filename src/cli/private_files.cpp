#include "cli/private_files.hpp"

#include <string>

#include "cli/failure.hpp"

namespace dpadapt::cli {

void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open) {
    for (const NamedFile &file : open)
        if (is_same_input(secret.path, file.path))
            throw Failure(kUsage, std::string(file.flag) + " and " + secret.flag +
                                      " are the same file: rows cannot be both public and private "
                                      "(the option private_domain says which are private)");
}

void check_private_files(const DataArguments &arguments, const Settings &settings) {
    std::vector<NamedFile> sources{{"--source", arguments.source}};
    for (const std::string &path : arguments.more_sources)
        sources.push_back({"--add-source", path});
    const NamedFile target{"--target", arguments.target};
    const NamedFile map{"--source-map", arguments.source_map};
    if (settings.is_private("target")) {
        check_apart(target, {map});
        check_apart({"--data", arguments.data}, {map});
        if (!settings.is_private("source")) check_apart(target, sources);
    } else if (settings.is_private("source")) {
        for (const NamedFile &source : sources) check_apart(source, {target, map});
    }
}

}  // namespace dpadapt::cli
