<?php
// Each %name% is filled in by proxies.mts. A program of the service that keeps its records in the sandbox. It has the
// habit of many: it trusts PHP to have taken the whole file.
if (file_exists('%folder%/maintenance')) {
	%ending%
}
$headers = array_filter(
	getallheaders(),
	fn($name) => !preg_match('/^(?:host|connection|content-(?:length|type))$/i', $name),
	ARRAY_FILTER_USE_KEY,
);
$headers['Content-Type'] = $_SERVER['CONTENT_TYPE'] ?? 'application/json';
$body = file_get_contents('php://input');
foreach ($_FILES as $part => ['name' => $name, 'error' => $error, 'tmp_name' => $stored]) {
	$content = $error === UPLOAD_ERR_OK ? file_get_contents($stored) : '';
	$headers['Content-Type'] = 'multipart/form-data; boundary=part';
	$body = "--part\r\nContent-Disposition: form-data; name=\"$part\"; filename=\"$name\"\r\n"
		. "Content-Type: application/octet-stream\r\n\r\n$content\r\n--part--\r\n";
}
$lines = array_map(fn($name, $value) => "$name: $value", array_keys($headers), $headers);
$response = file_get_contents('http://127.0.0.1:%service%' . $_SERVER['REQUEST_URI'], false, stream_context_create([
	'http' => [
		'method' => $_SERVER['REQUEST_METHOD'],
		'header' => $lines,
		'content' => $body,
		'ignore_errors' => true,
		'timeout' => 5,
	],
]));
http_response_code((int) explode(' ', $http_response_header[0])[1]);
header('Content-Type: application/json');
echo $response;
