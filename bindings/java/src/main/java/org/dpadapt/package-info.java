/**
 * Supervised domain adaptation under differential privacy: learn a predictor for a private target
 * domain with the help of public source data.
 *
 * <p>A {@link org.dpadapt.Problem} holds both samples, {@link org.dpadapt.Options} what is to be
 * done, a {@link org.dpadapt.Solution} the fitted predictor, and a {@link org.dpadapt.Search} chooses
 * among options. What the numbers mean, with all
 * options and methods, is told by the headers of the C library and by {@link
 * org.dpadapt.Options#all()}.
 *
 * <p>Matrices have one row per record, and are given row after row in one array or buffer. Features
 * and labels are in the caller's own units. Arrays are copied; buffers are copied unless they are
 * lent, must be direct and of native byte order, and count from their position to their limit.
 *
 * <p>Problems, discrepancies, plans, solutions, searches and tokens hold memory outside Java's heap until
 * {@code close()}, or until the garbage collector finds that nobody uses them. Closing twice, or
 * while another thread is in a call, is allowed; the memory goes when the last call has returned.
 *
 * <p>Every mistake is a {@link org.dpadapt.DpaException}, whatever kind of mistake: null, a size
 * that does not fit, a closed object ({@link org.dpadapt.DpaException#HANDLE}), an unsuitable buffer
 * ({@link org.dpadapt.DpaException#INVALID_ARGUMENT}). Nothing has changed then, but a privacy
 * budget may be spent where that is said.
 *
 * <p>Solutions, discrepancies and plans never change; any number of threads may use them at once. A
 * problem may be used by several fits without privacy at once; setting its data and private calls
 * need it alone, and throw {@link org.dpadapt.DpaException#STATE} otherwise. A search is for one
 * thread at a time.
 *
 * <p>The native library is in the jar, and unpacked into {@code java.io.tmpdir} while it is loaded. The
 * system property {@code dpadapt.native.path}, unless empty, names a file or a folder to load it from
 * instead; a virtual machine loads such a file for one class loader only, so where several load this
 * package, none but the first has it, and the property is best left unset. Where it cannot be loaded, every use throws an {@link java.lang.UnsatisfiedLinkError} that
 * says why.
 */
package org.dpadapt;
