/** A text as a part of a regular expression, in one line. */
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\n\r\t]/g, '\\s')

const quoted = (argument: string) => `'${argument.replaceAll("'", "'\\''")}'`

/** The whole name of a vitest test, as the argument of `-t` in a shell: no other test has it. */
export const nameArgument = (name: string) => quoted(`^${escaped(name)}$`)

/** The title of a Playwright test, as the argument of `-g` in a shell: files come before it, and tags after it. */
export const titleArgument = (title: string) => quoted(`(^| )${escaped(title)}( @\\S+)*$`)
