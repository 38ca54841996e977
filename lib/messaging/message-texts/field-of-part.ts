/** Returns the name of a part as a field of a form: `facts.date` is `facts_date`. */
export const fieldOfPart = (part: string) => part.replaceAll('.', '_')
