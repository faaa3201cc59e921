/**
 * The CLI of row 11, for `/bin/sh`: answers `initialize` and nothing else. A shell starts in a
 * millisecond, so the host is what is timed.
 */
export const START_FAKE = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.332 (Claude Code)'; exit 0; fi
read -r line
id=\${line#*\\"request_id\\":\\"}
id=\${id%%\\"*}
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"commands":[],"agents":[],"output_style":"default","available_output_styles":[],"models":[{"value":"default","displayName":"Default","description":"Scripted"}],"account":{},"current_permission_mode":"default","sdk_mcp_manifests_parked":{"probe":"parked"}}}}\\n' "$id"
while read -r line; do :; done
`;
