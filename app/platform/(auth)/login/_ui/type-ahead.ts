/** Ends keeping what the person typed since they submitted a step (ADR 51), and returns it. */
export const takeTyped = () => window.takeTyped?.() ?? ''
