import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS>()

/** Returns whether a password contains a custom pattern, in a time that is linear in the password's length. */
export function findsPattern(pattern: string, password: string): boolean {
  let expression = compiled.get(pattern)
  if (!expression) {
    if (compiled.size >= 100) compiled.clear()
    expression = RE2JS.compile(pattern)
    compiled.set(pattern, expression)
  }
  return expression.matcher(password).find()
}
