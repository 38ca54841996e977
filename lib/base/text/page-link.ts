/** Returns an address that a page may link to: https, or a path of the platform. Returns null for anything else. */
export function pageLink(address: string | null | undefined): string | null {
  const text = address?.trim() ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these, which would change the address
  if (/[\u0000-\u0020\u007f]/.test(text)) return null
  if (/^\/(?![/\\])/.test(text)) return text
  // https:polaris.example is a path of the platform to a browser that is on it
  if (!/^https:\/\/[^/\\]/i.test(text) || !URL.canParse(text)) return null
  const { username, password } = new URL(text)
  // https://polaris.example@evil.example would look like the first of the two
  return !username && !password ? text : null
}

/** The same as `pageLink`, but mailto and tel addresses are allowed too. */
export function contactLink(address: string | null | undefined): string | null {
  const text = address?.trim() ?? ''
  return /^(?:mailto|tel):[^\s<>"]+$/i.test(text) ? text : pageLink(text)
}
