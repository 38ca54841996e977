export { NoAccessPage as default } from '../_ui/no-access-page'
