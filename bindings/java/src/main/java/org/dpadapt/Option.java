package org.dpadapt;

/**
 * An entry of the library's table of options.
 *
 * @param name its name
 * @param type "real", "integer", "boolean", "choice" or "vector"
 * @param preset the default, as text
 * @param values the words and the interval that it takes
 * @param doc its meaning
 */
public record Option(String name, String type, String preset, String values, String doc) {}
