/**
 * Supervised domain adaptation under differential privacy: learn a predictor for a private target
 * domain with the help of public source data.
 *
 * <p>A {@link org.dpadapt.Problem} holds both samples, {@link org.dpadapt.Options} say what to do,
 * a {@link org.dpadapt.Solution} is the fitted predictor, and a {@link org.dpadapt.Search} chooses
 * among options. The headers of the C library and {@link org.dpadapt.Options#all()} explain the
 * numbers, the options and the methods.
 *
 * <p>Matrices have one row per record, and are given row after row in one array or buffer. Features
 * and labels are in the caller's own units. Arrays are copied; buffers are copied unless they are
 * lent, must be direct and of native byte order, and count from their position to their limit.
 *
 * <p>Private records can stay in a database, on a cluster or in files: a {@link org.dpadapt.Pass}
 * sends requests to them, a {@link org.dpadapt.Partial} is the sum that a worker sends back.
 *
 * <p>Problems, discrepancies, plans, solutions, searches and tokens hold memory outside Java's heap
 * until {@code close()}, or until the garbage collector finds that nobody uses them. You may close
 * twice, or while another thread is in a call; the memory is released when the last call has
 * returned.
 *
 * <p>Every mistake throws a {@link org.dpadapt.DpaException}: null, a size that does not fit, a
 * closed object ({@link org.dpadapt.DpaException#HANDLE}), an unsuitable buffer ({@link
 * org.dpadapt.DpaException#INVALID_ARGUMENT}). The call has then changed nothing, except that a
 * privacy budget may be spent where the method says so.
 *
 * <p>Solutions, discrepancies and plans never change; any number of threads may use them at once. A
 * problem may be used by several fits without privacy at once; setting its data and private calls
 * need it alone, and throw {@link org.dpadapt.DpaException#STATE} otherwise. A search is for one
 * thread at a time.
 *
 * <p>The native library is in the jar, and unpacked into {@code java.io.tmpdir} while it is loaded.
 * The system property {@code dpadapt.native.path}, unless empty, names a file or a folder to load
 * it from instead. A virtual machine loads such a file for one class loader only: if several load
 * this package, leave the property unset. If the library cannot be loaded, every use throws an
 * {@link java.lang.UnsatisfiedLinkError} that says why.
 */
package org.dpadapt;
