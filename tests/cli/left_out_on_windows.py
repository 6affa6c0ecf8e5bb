"""The tests of the command that are left out on Windows, and why."""

MODES = "files have lists of access there, and no modes: core.owner_file reads these lists"
NO_LIMITS = "there are no limits on addresses and on the size of files"
STREAMS = "wine cannot tell what a stream is that it has from another system"
LINKS = "a link that leads nowhere is replaced by the file"
LOCKS = "locks of Linux are none for wine"
TERMINALS = "wine draws terminals and takes Ctrl-C by itself"

REASONS = {
    "AddressSpace.test_a_private_line_of_many_cells_takes_no_more_than_another": NO_LIMITS,
    "AddressSpace.test_every_limit": NO_LIMITS,
    "AddressSpace.test_predictions": NO_LIMITS,
    "AddressSpace.test_the_file_whose_rows_exhaust_it_is_named": NO_LIMITS,
    "DataErrors.test_a_pipe_unfolds_to_16_mib_at_most": STREAMS,
    "Interrupts.test_while_computing": TERMINALS,
    "Interrupts.test_while_data_are_read": TERMINALS,
    "Job.test_a_file_that_changes_while_it_is_read": LOCKS,
    "Job.test_its_file_is_the_owner_s_and_has_no_secret_in_the_end": MODES,
    "Job.test_the_second_call_answers_and_pays_nothing": MODES,
    "Job.test_usage": STREAMS,
    "LargeSource.test_a_stream_is_refused": STREAMS,
    "Ledger.test_a_pipe_is_no_ledger": "no folder has pipes there",
    "Ledger.test_a_ledger_is_made_once_and_for_its_user": MODES,
    "Memory.test_a_stream_is_refused": STREAMS,
    "Output.test_a_link_to_a_new_file_stays_a_link": LINKS,
    "Output.test_models_of_private_fits_are_for_their_owner": MODES,
    "Output.test_permissions": MODES,
    "PayLast.test_full_disks": "wine gives a file room that the disk has not",
    "PayLast.test_limits_on_files": NO_LIMITS,
    "PayLast.test_streams_that_nobody_reads": STREAMS,
    "PayLast.test_the_room_is_enough": "strace sees no fallocate of wine",
    "ProgressDisplay.test_is_drawn_on_a_terminal": TERMINALS,
    "Refusals.test_rows_of_a_fit_cannot_come_by_standard_input": STREAMS,
    "SameFile.test_an_output_by_a_link_to_it": LINKS,
}


def check(case):
    """Skips that test if it is one of them."""
    name = ".".join(case.id().split(".")[-2:])
    if name in REASONS:
        case.skipTest(REASONS[name])
