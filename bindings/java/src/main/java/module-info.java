/** Supervised domain adaptation under differential privacy. */
module org.dpadapt {
    exports org.dpadapt;
}
