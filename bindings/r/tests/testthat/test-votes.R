answers <- matrix(c(0, 1, 2, 1, 1, 0, 2, 2), 4)

test_that("without privacy they are counts and means", {
    found <- release_votes(answers, classes = 3, private_domain = "none")
    expect_identical(found$values, rbind(c(1, 2, 1), c(1, 1, 2)))
    expect_identical(found$deviation, 0)
    means <- release_votes(answers, low = 0, high = 4, private_domain = "none")
    expect_equal(means$values, colMeans(answers))
})

test_that("a release is private and pays from a ledger", {
    budget <- privacy_ledger(epsilon = 2, delta = 1e-6, unit = "person")
    found <- release_votes(answers, low = 0, high = 2, epsilon = 2, delta = 1e-6, ledger = budget)
    expect_gt(found$deviation, 1)
    expect_match(found$privacy, "answers of teachers")
    expect_error(release_votes(answers, low = 0, high = 2, epsilon = 2, delta = 1e-6, ledger = budget), "budget")
    expect_error(release_votes(answers, low = 0, high = 2), "epsilon")
    expect_error(release_votes(answers, classes = 2, low = 0, high = 2), "either")
})

test_that("a person has one teacher, whoever else there is", {
    expect_true(all(abs(table(vote_shards(100, 7)) - 100 / 7) < 1))
    people <- c("ann", "Bob", "cy", "ann", "bob ")
    shards <- vote_shards(5, 3, people)
    expect_identical(shards[1:2], shards[4:5])
    expect_identical(vote_shards(3, 3, rev(people[1:3])), rev(shards[1:3]))
    expect_error(vote_shards(4, 3, people), "groups")
})
