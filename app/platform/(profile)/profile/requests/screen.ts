import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileRequests', clickable: false })
