import type { ReactNode } from 'react'
import { Pill } from '../ui/pill'

type PlaceRoles = {
  organizationId: string
  organization: string
  /** In a disabled organization roles give nothing. */
  enabled: boolean
  roles: readonly { id: string; name: string }[]
}
type Props = {
  access: readonly PlaceRoles[]
  /** The mark of a disabled organization. */
  disabled: string
  /** In place of the roles if there are none. */
  none: ReactNode
}

/** The roles that a person holds for a company, by organization. */
export function AccessPlaces({ access, disabled, none }: Props) {
  if (access.length === 0) return <p className="text-ink-second text-table">{none}</p>
  return (
    <ul className="grid gap-2.5">
      {access.map((place) => (
        <li key={place.organizationId} className="grid gap-x-4 gap-y-1 @min-[40rem]:grid-cols-[15rem_minmax(0,1fr)]">
          <span className="wrap-anywhere flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
            {place.organization}
            {place.enabled ? null : <Pill tone="neutral">{disabled}</Pill>}
          </span>
          <ul className="flex flex-wrap gap-1.5 text-table">
            {place.roles.map((role) => (
              <li key={role.id} className="wrap-anywhere rounded-pill border border-line px-2 py-0.5">
                {role.name}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
