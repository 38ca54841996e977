import { Upload } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { buttonClasses } from '@/components/ui/button-classes'
import { cn } from '@/components/ui/cn'
import { UserQuery } from '@/lib/accounts/administration/contract'
import { newUserFields } from '@/lib/accounts/user-table/fields'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { screenNamed } from '@/lib/base/navigation/screens'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateUser } from './_ui/user-parts'
import { Users } from './_ui/users'

export const generateMetadata = () => screenTitle('PlatformUsers')

/** All accounts. */
export default async function UsersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformUsers', UserQuery, searchParams)
  const t = await getTranslations('user-import')
  const actions = list.mayWrite ? (
    <>
      <a
        href={screenNamed('PlatformUserImport').path}
        className={cn(buttonClasses({ variant: 'secondary' }), '@max-[28rem]:order-last')}
      >
        <Upload aria-hidden="true" className="size-4" />
        {t('open')}
      </a>
      <CreateUser fields={await newUserFields(list.ctx)} />
    </>
  ) : null
  return (
    <ListPage name={list.name} texts="users" action={actions} columns={6}>
      <Users {...list} />
    </ListPage>
  )
}
