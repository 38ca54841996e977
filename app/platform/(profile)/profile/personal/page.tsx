import { getTranslations } from 'next-intl/server'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenTitle } from '@/lib/context/title'
import { localName } from '@/lib/kernel/i18n/local-name'
import { mobileText } from '@/lib/kernel/mobile'
import { emptyRequiredFields, personalData } from '@/lib/people/users/service'

export const generateMetadata = () => screenTitle('UserProfileMain')

export default async function PersonalPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/personal')
  const t = await getTranslations('profile')
  const [{ fio, login, email, mobile: number }, empty] = await Promise.all([
    personalData(user.id),
    emptyRequiredFields(user.id),
  ])
  const mobile = number && mobileText(number, ctx.locale)
  const values = { fio, login, email, mobile }
  const names = Object.keys(values) as (keyof typeof values)[]
  const missing = (code: string) => (empty.some((field) => field.code === code) ? t('missing') : undefined)
  return (
    <div className="grid max-w-[44rem] gap-6">
      <PageHeader title={t('personal')} />
      <KeyValues>
        {names.map((name) => (
          <KeyValue key={name} id={name} label={t(`fields.${name}`)} missing={missing(name)}>
            {values[name] || null}
          </KeyValue>
        ))}
        {empty
          .filter(({ code }) => !(code in values))
          .map((field) => (
            <KeyValue key={field.code} id={field.code} label={localName(field, ctx.locale)} missing={t('missing')} />
          ))}
      </KeyValues>
    </div>
  )
}
