/** A title as an argument of a shell that takes a regular expression. */
export const titleArgument = (title: string) =>
  `'${title
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[\n\r\t]/g, '.')
    .replaceAll("'", "'\\''")}'`
