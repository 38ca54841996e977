/** The name of a part among the fields of a form: `facts.date` is `facts_date`. */
export const fieldOfPart = (part: string) => part.replaceAll('.', '_')
