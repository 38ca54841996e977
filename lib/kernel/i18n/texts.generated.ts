// Made by npm run generate.
import type accessLists from '@/messages/ru/access-lists.json'
import type administration from '@/messages/ru/administration.json'
import type applications from '@/messages/ru/applications.json'
import type clients from '@/messages/ru/clients.json'
import type common from '@/messages/ru/common.json'
import type consent from '@/messages/ru/consent.json'
import type deviceFlow from '@/messages/ru/device-flow.json'
import type deviceTypes from '@/messages/ru/device-types.json'
import type entry from '@/messages/ru/entry.json'
import type errors from '@/messages/ru/errors.json'
import type failure from '@/messages/ru/failure.json'
import type gallery from '@/messages/ru/gallery.json'
import type history from '@/messages/ru/history.json'
import type invitation from '@/messages/ru/invitation.json'
import type law from '@/messages/ru/law.json'
import type networkAliases from '@/messages/ru/network-aliases.json'
import type oidc from '@/messages/ru/oidc.json'
import type outage from '@/messages/ru/outage.json'
import type outbox from '@/messages/ru/outbox.json'
import type overview from '@/messages/ru/overview.json'
import type person from '@/messages/ru/person.json'
import type profile from '@/messages/ru/profile.json'
import type recovery from '@/messages/ru/recovery.json'
import type refusal from '@/messages/ru/refusal.json'
import type registration from '@/messages/ru/registration.json'
import type sessions from '@/messages/ru/sessions.json'
import type settings from '@/messages/ru/settings.json'
import type shell from '@/messages/ru/shell.json'
import type snackbar from '@/messages/ru/snackbar.json'
import type ui from '@/messages/ru/ui.json'
import type userApplications from '@/messages/ru/user-applications.json'

/** The texts that keys are checked against. */
export type Texts =
  typeof accessLists &
  typeof administration &
  typeof applications &
  typeof clients &
  typeof common &
  typeof consent &
  typeof deviceFlow &
  typeof deviceTypes &
  typeof entry &
  typeof errors &
  typeof failure &
  typeof gallery &
  typeof history &
  typeof invitation &
  typeof law &
  typeof networkAliases &
  typeof oidc &
  typeof outage &
  typeof outbox &
  typeof overview &
  typeof person &
  typeof profile &
  typeof recovery &
  typeof refusal &
  typeof registration &
  typeof sessions &
  typeof settings &
  typeof shell &
  typeof snackbar &
  typeof ui &
  typeof userApplications
