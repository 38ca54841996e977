/** Returns the origins of redirect addresses, whose pages may call the OpenID Provider for a client. */
export const redirectOrigins = (redirectUris: readonly string[]): string[] => [
  ...new Set(
    redirectUris.flatMap((address) => {
      const url = URL.parse(address)
      return url && /^https?:$/.test(url.protocol) ? [url.origin] : []
    }),
  ),
]
