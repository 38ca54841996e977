declare module 'punycode.js' {
  const punycode: {
    /** Decodes the labels of a domain that begin with `xn--`; throws RangeError for one that can't be. */
    toUnicode(domain: string): string
  }
  export default punycode
}
