import { ArrowDownUp } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { buttonClasses } from '@/components/ui/button-classes'
import { ApplicationQuery } from '@/lib/applications/applications/contract'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { screenNamed } from '@/lib/base/navigation/screens'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateApplication } from './_ui/application-parts'
import { Applications } from './_ui/applications'

export const generateMetadata = () => screenTitle('PlatformApplications')

/** The applications that sign people in through the platform or appear in its menus. */
export default async function ApplicationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformApplications', ApplicationQuery, searchParams)
  const t = await getTranslations('applications')
  const action = (
    <div className="flex flex-wrap gap-2">
      <Link
        href={screenNamed('PlatformApplicationsOrder').path}
        prefetch={false}
        className={buttonClasses({ variant: 'secondary' })}
      >
        <ArrowDownUp aria-hidden="true" className="size-4.5" />
        {t('order.open')}
      </Link>
      <CreateApplication />
    </div>
  )
  return (
    <ListPage name={list.name} texts="applications" action={list.mayWrite ? action : null} columns={6}>
      <Applications {...list} />
    </ListPage>
  )
}
