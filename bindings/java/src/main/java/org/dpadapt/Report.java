package org.dpadapt;

/** Forms of a privacy report; the order is that of the numbers in C. */
public enum Report {
    /** One JSON object. */
    JSON,
    /** A paragraph in plain words, then the same content as JSON, line by line. */
    TEXT
}
