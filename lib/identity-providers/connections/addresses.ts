/** Returns the address to which a provider sends people back: one of its own for each provider (RFC 9700, section 4.4). */
export const redirectTo = (origin: string, providerId: string): string =>
  `${origin}/api/v1/platform/auth/providers/${providerId}/callback`

/** Returns the address that begins a sign-in through a provider, with what is known of it. */
export function startAt(providerId: string, known: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams(
    Object.entries(known).filter((pair): pair is [string, string] => Boolean(pair[1])),
  ).toString()
  return `/api/v1/platform/auth/providers/${providerId}/start${search ? `?${search}` : ''}`
}
