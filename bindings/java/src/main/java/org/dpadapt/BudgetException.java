package org.dpadapt;

/** The privacy budget does not cover the call; no private record was read. */
public final class BudgetException extends DpaException {
    private static final long serialVersionUID = 1L;

    BudgetException(String message) {
        super(BUDGET, message);
    }
}
