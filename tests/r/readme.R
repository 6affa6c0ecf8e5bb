# readme.R README: runs the R blocks of the README; where a block of text follows one, it is its output.
lines <- readLines(commandArgs(TRUE))
fences <- grep("^```", lines)
opening <- fences[c(TRUE, FALSE)]
closing <- fences[c(FALSE, TRUE)]
languages <- sub("^```", "", lines[opening])
content <- function(i) lines[seq_len(closing[i] - opening[i] - 1) + opening[i]]

blocks <- which(languages == "r")
if (!length(blocks)) stop("the README has no R block")
for (i in blocks) {
    output <- capture.output(source(textConnection(content(i)), local = new.env()))
    if (languages[i + 1] %in% "text" && !identical(output, content(i + 1)))
        stop("an R block prints\n", paste(output, collapse = "\n"))
}
cat(length(blocks), "R block(s) run\n")
