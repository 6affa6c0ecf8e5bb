package org.dpadapt;

/**
 * Rows without gaps, one after another, as the glue takes them.
 *
 * @param data a double[], or a direct buffer from its start
 * @param rows their number
 * @param columns numbers in each
 */
record Matrix(Object data, long rows, long columns) {}
