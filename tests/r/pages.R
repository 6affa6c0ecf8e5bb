# pages.R SOURCE_DIR: runs the R blocks of README.md and docs/*.md; where a block of text follows
# one, it is its output.
root <- commandArgs(TRUE)

run_page <- function(page) {
    lines <- readLines(page)
    fences <- grep("^```", lines)
    opening <- fences[c(TRUE, FALSE)]
    closing <- fences[c(FALSE, TRUE)]
    languages <- sub("^```", "", lines[opening])
    content <- function(i) lines[seq_len(closing[i] - opening[i] - 1) + opening[i]]

    blocks <- which(languages == "r")
    for (i in blocks) {
        output <- capture.output(source(textConnection(content(i)), local = new.env()))
        if (languages[i + 1] %in% "text" && !identical(output, content(i + 1)))
            stop("an R block of ", basename(page), " prints\n", paste(output, collapse = "\n"))
    }
    length(blocks)
}

pages <- file.path(root, c("README.md", "docs/r.md"))
pages <- union(pages, Sys.glob(file.path(root, "docs/*.md")))
blocks <- sapply(pages, run_page)
if (any(blocks[1:2] == 0)) stop("README.md or docs/r.md has no R block")
cat(sum(blocks), "R blocks run\n")
