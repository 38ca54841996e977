import { ListPage } from '@/components/list/list-page'
import { RoleQuery } from '@/lib/access/roles/contract'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateRole } from './_ui/role-parts'
import { Roles } from './_ui/roles'

export const generateMetadata = () => screenTitle('PlatformRoles')

/** The roles of the platform. */
export default async function RolesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformRoles', RoleQuery, searchParams)
  return (
    <ListPage name={list.name} texts="roles" action={list.mayWrite ? <CreateRole /> : null} columns={5}>
      <Roles {...list} />
    </ListPage>
  )
}
