/** Returns the address to which a provider sends people back; each provider has its own (RFC 9700, section 4.4). */
export const callbackAddress = (origin: string, providerId: string): string =>
  `${origin}/api/v1/platform/auth/providers/${providerId}/callback`

/** Returns the address that begins a sign-in through a provider, with these parameters; empty ones are left out. */
export function startAt(providerId: string, parameters: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => Boolean(pair[1])),
  ).toString()
  return `/api/v1/platform/auth/providers/${providerId}/start${search ? `?${search}` : ''}`
}
