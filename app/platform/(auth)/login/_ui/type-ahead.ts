/** Ends the recording of what the person typed since they submitted a step (ADR 49), and returns it. */
export const takeTyped = () => window.takeTyped?.() ?? ''
