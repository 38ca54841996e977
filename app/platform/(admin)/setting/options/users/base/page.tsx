import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { holdsMethod } from '@/lib/base/context/access'
import { fieldOwners } from '@/lib/fields/dynamic-fields/contract'
import { readUsersSettings } from '@/lib/operations/settings-screen/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { SettingsPage } from '../../_ui/settings-page'
import { typePath } from '../dynamic-fields/_ui/paths'

export const generateMetadata = () => screenTitle('UsersSettingsBase')

/** The settings of users, by module, and the links to their fields. */
export default async function UsersSettingsBasePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/options/users/base')
  const settings = await readUsersSettings(ctx)
  return (
    <SettingsPage ctx={ctx} user={user} scope="users" lead="leadUsers" settings={settings}>
      {holdsMethod(user, 'dynamic-fields.read') ? <FieldTypes /> : null}
    </SettingsPage>
  )
}

/** Links to the fields of people and of other objects with fields that administrators define. */
async function FieldTypes() {
  const [t, tScreen] = await Promise.all([getTranslations('dynamic-fields'), getTranslations('shell.screens')])
  return (
    <nav aria-label={tScreen('PlatformFields')} className="grid gap-2.5">
      <h2 className="text-section">{tScreen('PlatformFields')}</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {fieldOwners.map((type) => (
          <li key={type}>
            <Link
              href={typePath(type)}
              prefetch={false}
              className="flex min-h-11 items-center justify-between gap-4 px-4 py-2.5 outline-offset-[-2px]! hover:bg-sunken sm:px-5"
            >
              {t(`types.${type}`)}
              <ChevronRight className="size-4 shrink-0 text-ink-second" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
