import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { personalData } from '@/lib/people/users/service'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('profile')
  return pageTitle(t('personal'))
}

export default async function PersonalPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/personal')
  const t = await getTranslations('profile')
  const { fio, login, email, mobile } = await personalData(user.id)
  const rows = { fio, login, email, mobile }
  return (
    <>
      <h1 className="mb-6 text-title">{t('personal')}</h1>
      <dl className="rounded-card border border-line bg-surface">
        {(Object.keys(rows) as (keyof typeof rows)[]).map((name) => (
          <div key={name} className="border-line border-b px-4 py-3 last:border-b-0">
            <dt className="text-ink-2 text-note">{t(`fields.${name}`)}</dt>
            <dd>{rows[name] || '—'}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
