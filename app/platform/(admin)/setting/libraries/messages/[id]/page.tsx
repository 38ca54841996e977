import { Mail, MessageSquareText } from 'lucide-react'
import { notFound } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { Card } from '@/components/card/card'
import { domainOption } from '@/components/form/option-of'
import { PageMessages } from '@/components/shell/page-messages'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { LinkTabs } from '@/components/ui/link-tabs'
import { Id } from '@/lib/base/contracts/contract'
import { pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { cardPath } from '@/lib/base/navigation/screens'
import { readMessageTexts, storedPreview } from '@/lib/messaging/message-texts/service'
import { partPageContext } from '@/lib/request/part-page'
import { screenTitle } from '@/lib/request/title'
import { searchDomains } from '@/lib/site/domains/administration'
import { searchLocales } from '@/lib/site/locales/service'
import { ChooseDomain } from './_ui/choose-domain'
import { MessageEditor } from './_ui/editor'
import { labelOf } from './_ui/labels'
import { type MessagePreview, Preview } from './_ui/preview'

export const generateMetadata = () => screenTitle('PlatformLibrariesMessage')

const idIn = (value: PageSearch[string]) => (Id.safeParse(value).success ? (value as string) : undefined)

/** One mail or SMS in one language, for all domains or for one, beside its preview. */
export default async function MessagePage(page: PageProps<'/platform/setting/libraries/messages/[id]'>) {
  const { ctx, params, search, mayWrite, readOnly, read } = await partPageContext('PlatformLibrariesMessage', page)
  const { id } = params
  const [{ locales }, { domains }] = await read(() =>
    Promise.all([
      searchLocales(ctx, { query: {} }),
      searchDomains(ctx, { query: { searchValue: undefined, ids: undefined } }),
    ]),
  )
  const ownLocale = locales.find(({ code }) => code === ctx.locale) ?? locales[0]
  const locale = locales.find((option) => option.id === idIn(search.locale)) ?? ownLocale
  if (!locale) notFound()
  const domainId = idIn(search.domain)
  const [message, shown] = await read(() =>
    Promise.all([
      readMessageTexts(ctx, { params: { id }, query: { localeId: locale.id, domainId } }),
      storedPreview(ctx, id, locale.id, domainId ?? null),
    ]),
  )
  const [t, messages] = await Promise.all([getTranslations('message-texts'), getMessages()])
  const name = wordsOf(t)(`names.${id}`)
  const hrefOf = (localeId: string, domain: string | undefined) =>
    `${cardPath('PlatformLibrariesMessage', id)}?${new URLSearchParams({ locale: localeId, ...(domain ? { domain } : {}) })}`
  const of = { message, shown, localeId: locale.id, domainId: domainId ?? null, lang: locale.code }
  return (
    <PageMessages messages={pickMessages(messages, ['message-texts', 'cases-of-texts'])}>
      <Card
        title={name}
        tile={message.kind === 'mail' ? <Mail /> : <MessageSquareText />}
        facts={[t(`kinds.${message.kind}`), t('whenSent')]}
        actions={null}
        readOnly={readOnly}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
            <LinkTabs
              label={t('languages')}
              current={hrefOf(locale.id, domainId)}
              tabs={locales.map((option) => ({ href: hrefOf(option.id, domainId), label: option.name }))}
            />
            <ChooseDomain
              value={domainId ?? ''}
              options={[
                { value: '', label: t('allDomains'), href: hrefOf(locale.id, undefined) },
                ...domains.map((domain) => ({
                  ...domainOption(domain),
                  href: hrefOf(locale.id, domain.id),
                })),
              ]}
            />
          </div>
          {mayWrite ? <MessageEditor key={`${locale.id} ${domainId}`} id={id} {...of} /> : <MessageFacts {...of} />}
        </div>
      </Card>
    </PageMessages>
  )
}

type FactsProps = { message: Awaited<ReturnType<typeof readMessageTexts>>; shown: MessagePreview; lang: string }

/** The texts for people who may only read. */
function MessageFacts({ message, shown, lang }: FactsProps) {
  const t = useTranslations('message-texts')
  const words = wordsOf(t)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 @min-[64rem]:grid-cols-[minmax(0,30rem)_minmax(0,1fr)] @min-[64rem]:items-start">
      <KeyValues>
        {message.parts.map(({ part, text, inherited }) => (
          <KeyValue key={part} label={labelOf(words, part)} tall>
            <span lang={lang} className="wrap-anywhere whitespace-pre-line">
              {text ?? inherited}
            </span>
          </KeyValue>
        ))}
      </KeyValues>
      <Preview shown={shown} lang={lang} />
    </div>
  )
}
