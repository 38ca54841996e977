/** Spellings of a path below a mount that the provider's router accepts: letter case, a slash at the end, both. */
export function spellings(mount: string, path: string): string[] {
  const cases = [path, path.toUpperCase()]
  // one letter at a time, then every second letter
  for (let at = 0; at < path.length; at++)
    if (/[a-z]/.test(path[at] ?? ''))
      cases.push(path.slice(0, at) + (path[at] ?? '').toUpperCase() + path.slice(at + 1))
  cases.push([...path].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter)).join(''))
  return [...new Set(cases)].flatMap((one) => [`${mount}${one}`, `${mount}${one}/`])
}
