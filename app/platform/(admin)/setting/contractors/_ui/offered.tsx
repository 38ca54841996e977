'use client'

import { createContext, type ReactNode } from 'react'

export type OrganizationOption = { id: string; name: string; enabled: boolean }

/** The organizations that forms of contractors in this page offer. */
export const Offered = createContext<OrganizationOption[]>([])

/** Offers organizations to the forms inside. */
export function OfferedOrganizations({
  organizations,
  children,
}: {
  organizations: OrganizationOption[]
  children: ReactNode
}) {
  return <Offered value={organizations}>{children}</Offered>
}
