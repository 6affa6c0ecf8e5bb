# The help pages of options and baselines are made from the library's own tables when they are
# shown.
options_rd <- function() described_rd(dpadapt_options(), function(row) {
    paste0(row$type, "; ", row$values, "; default ", row$default, "; read by ", row$readers, ". ", row$doc)
})

baselines_rd <- function() described_rd(dpadapt_baselines(), function(row) row$doc)

described_rd <- function(table, describe) {
    items <- vapply(seq_len(nrow(table)), function(i) {
        paste0("\\item{\\code{", table$name[i], "}}{", escape_rd(describe(table[i, ])), "}")
    }, "")
    paste0("\\describe{\n", paste(items, collapse = "\n"), "\n}")
}

escape_rd <- function(text) gsub("([\\\\%{}])", "\\\\\\1", text)
