# A file is written beside the old one, which is there until the new one is whole. A new file of a private fit is its
# owner's, an old one keeps its mode.
replace_file <- function(bytes, file, private) {
    beside <- tempfile(paste0(".", basename(file), "-"), dirname(file))
    on.exit(unlink(beside))
    mode <- if (file.exists(file)) file.mode(file) else if (private) as.octmode("600")
    if (!suppressWarnings(file.create(beside))) refuse("file ", file, " cannot be written")
    if (!is.null(mode)) Sys.chmod(beside, mode, use_umask = FALSE)
    suppressWarnings(try(writeBin(bytes, beside), silent = TRUE))
    whole <- isTRUE(file.size(beside) == length(bytes))  # R does not tell of a full disk
    if (!whole || !suppressWarnings(file.rename(beside, file))) refuse("file ", file, " cannot be written")
}
