package org.dpadapt;

/** Forms of a privacy report; the order is that of the numbers in C. */
public enum Report {
    /** One JSON object. */
    JSON,
    /**
     * A paragraph in plain words, then the content of the JSON without its exact integers, line by
     * line.
     */
    TEXT,
    /** The text without its paragraph. */
    NUMBERS,
    /** One page of HTML with pictures, which needs no network: of a problem or solution. */
    PAGE
}
