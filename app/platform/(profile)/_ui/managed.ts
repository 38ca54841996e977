import type { Option } from '@/components/form/use-search'
import { call } from '@/lib/base/http/client'
import { listGrantableRoles, listManagedContractors } from '@/lib/companies/access-requests/contract'

/** Finds the enabled contractors that the reader manages; an empty text finds the first ones. */
export async function managedContractors(text: string, signal?: AbortSignal) {
  const query = text ? { filter: { search: text } } : {}
  return (await call(listManagedContractors, { query }, signal ? { signal } : {})).contractors
}

/** Returns, as options, the roles that the reader may give for a contractor which they manage. */
export async function grantableRoles(contractorId: string, signal?: AbortSignal): Promise<Option[]> {
  const { roles } = await call(listGrantableRoles, { params: { id: contractorId } }, signal ? { signal } : {})
  return roles.flatMap(({ roleId, name, comment, allowed }) =>
    allowed ? [{ value: roleId, label: name, ...(comment ? { note: comment } : {}) }] : [],
  )
}
