package org.dpadapt;

/**
 * An entry of the library's table of options.
 *
 * @param name its name
 * @param tier "basic": what most fits need; "advanced": refines a default; "research": for
 *     experiments and baselines, may change in any release
 * @param type "real", "integer", "boolean", "choice" or "vector"
 * @param preset the default, as text
 * @param values the words and the interval that it takes
 * @param readers the kinds of calls that read it
 * @param doc its meaning
 */
public record Option(
        String name,
        String tier,
        String type,
        String preset,
        String values,
        String readers,
        String doc) {}
