import { useTranslations } from 'next-intl'
import { inputClasses } from '@/components/form/input-classes'
import { Alert } from '@/components/ui/alert'
import { cn } from '@/components/ui/cn'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Actions, ButtonLink, Page, PostForm, Submit, useNameOf, type ViewOf } from './parts'

/** Asks for the code that a device shows. */
export function Code({ view }: { view: ViewOf<'code'> }) {
  const t = useTranslations('device-flow')
  const { action, xsrf, typed, fault, minutes } = view
  const described = { 'aria-describedby': fault ? 'fault hint' : 'hint', 'aria-invalid': fault ? true : undefined }
  return (
    <Page view={view} text={t('enter.text')}>
      {fault ? (
        <Alert tone="danger" role="alert" id="fault">
          {t(`errors.${fault}`, { minutes })}
        </Alert>
      ) : null}
      <PostForm action={action} xsrf={xsrf} className="grid gap-6">
        <div className="grid gap-1.5">
          <label htmlFor="user-code" className="font-medium text-table">
            {t('enter.label')}
          </label>
          <input
            {...described}
            id="user-code"
            name="user_code"
            defaultValue={typed}
            maxLength={32}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="next"
            // biome-ignore lint/a11y/noAutofocus: the one field; with the code in the link a person only has to continue
            autoFocus={!typed || fault !== null}
            className={cn(inputClasses, 'h-12 font-medium font-mono uppercase tracking-[0.08em]')}
          />
          <p id="hint" className="text-note text-ink-second">
            {t('enter.hint', { example: 'BDFG-HJKL' })}
          </p>
        </div>
        <Actions>
          <Submit>{t('enter.submit')}</Submit>
        </Actions>
      </PostForm>
    </Page>
  )
}

/** Shows the application and the device that ask for access, and the code to compare. */
export function Confirm({ view }: { view: ViewOf<'confirm'> }) {
  const t = useTranslations('device-flow.confirm')
  const { application, code, device, ip, person, action, xsrf } = view
  return (
    <Page view={view} application={application} text={t('text')}>
      <KeyValues>
        <KeyValue label={t('code')}>
          <span className="font-mono font-semibold text-title tracking-[0.08em]">{code}</span>
        </KeyValue>
        <KeyValue label={t('device')}>{device || t('unknown')}</KeyValue>
        <KeyValue label={t('ip')}>
          <span className="font-mono">{ip}</span>
        </KeyValue>
        {person ? <KeyValue label={t('person')}>{person}</KeyValue> : null}
      </KeyValues>
      <Alert tone="warning">{t('warning')}</Alert>
      <PostForm action={action} xsrf={xsrf}>
        <input type="hidden" name="user_code" value={code} />
        <Actions>
          <Submit name="confirm" value="yes">
            {t('allow')}
          </Submit>
          <Submit name="abort" value="yes" variant="secondary">
            {t('refuse')}
          </Submit>
        </Actions>
      </PostForm>
    </Page>
  )
}

/** Shown after consent: the device continues by itself. */
export function Confirmed({ view }: { view: ViewOf<'confirmed'> }) {
  const t = useTranslations('device-flow.done')
  const application = useNameOf()(view.application)
  return (
    <Page view={view} application={view.application} text={t('text', { application })}>
      <Actions>
        <ButtonLink href="/platform">{t('home')}</ButtonLink>
      </Actions>
    </Page>
  )
}

export function Refused({ view }: { view: ViewOf<'refused'> }) {
  const t = useTranslations('device-flow.refused')
  return (
    <Page view={view} text={t('text')}>
      <Actions>
        <ButtonLink href="/platform">{t('home')}</ButtonLink>
        <ButtonLink href={view.again} variant="secondary">
          {t('again')}
        </ButtonLink>
      </Actions>
    </Page>
  )
}
