package org.dpadapt;

/**
 * Answers a request over all records of a sample that stays where it is: in a database, on
 * a cluster, in files. It is called on the thread that made the call, some ten times for a fit, and
 * must not use the problem ({@link DpaException#STATE}).
 */
@FunctionalInterface
public interface Pass {
    /**
     * Sends the request to whoever has the records, and merges their sums.
     *
     * @param request for {@link Partial#Partial}; made of public and released numbers, so anybody
     *     may see it
     * @return {@link Partial#serialize} of a sum that has each record once
     * @throws Exception stops the call and comes back from it unchanged; what the call has paid is
     *     spent
     */
    byte[] carryOut(byte[] request) throws Exception;
}
