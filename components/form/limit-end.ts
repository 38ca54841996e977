/** Returns the end of a limit as texts name it: in the named minute the person may try again. */
export const limitEnd = (moment: number) => new Date(Math.ceil(moment / 60_000) * 60_000)
