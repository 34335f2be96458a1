// GDAL's C functions, in a library that is loaded only when it is needed. Loading GDAL, with the hundred libraries that
// it needs, takes 0.14 s of processor time, three quarters of the program's start. Most commands only read GeoTIFF,
// which they do without GDAL.
//
// In the namespace orogen, GDAL's names mean the objects below, which are called like functions. loadGdal() must have
// succeeded before such a call. This file is included only with OROGEN_HAVE_GDAL.
#pragma once

#include <atomic>
#include <utility>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cpl_vsi_error.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <ogr_srs_api.h>

namespace orogen {

// Loads the library; returns false if it cannot be loaded.  Cheap after the first call.
bool loadGdal();

// Returns a function of the library; ends the program if there is no such function.
void* gdalSymbol(const char* name);

// A function of the library, looked up by its first call. Thread-safe.
template <typename Signature>
class GdalFunction
{
public:
    explicit constexpr GdalFunction(const char* name) : name_(name) {}

    operator Signature*()
    {
        Signature* known = known_.load(std::memory_order_relaxed);
        if (known) return known;
        known = reinterpret_cast<Signature*>(gdalSymbol(name_));
        known_.store(known, std::memory_order_relaxed);
        return known;
    }
    template <typename... Arguments>
    decltype(auto) operator()(Arguments&&... arguments)
    {
        return static_cast<Signature*>(*this)(std::forward<Arguments>(arguments)...);
    }

private:
    const char* name_;
    std::atomic<Signature*> known_ = nullptr;
};

// decltype drops attributes of the functions, such as that their results must be used, and GCC warns of that.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#define OROGEN_GDAL(name) inline constinit GdalFunction<decltype(::name)> name(#name);
OROGEN_GDAL(CPLDestroyXMLNode)
OROGEN_GDAL(CPLGetConfigOption)
OROGEN_GDAL(CPLGetErrorHandlerUserData)
OROGEN_GDAL(CPLGetXMLValue)
OROGEN_GDAL(CPLParseXMLFile)
OROGEN_GDAL(CPLPopErrorHandler)
OROGEN_GDAL(CPLPushErrorHandler)
OROGEN_GDAL(CPLPushErrorHandlerEx)
OROGEN_GDAL(CPLQuietErrorHandler)
OROGEN_GDAL(CPLSetConfigOption)
OROGEN_GDAL(CPLSetErrorHandler)
OROGEN_GDAL(CPLSetThreadLocalConfigOption)
OROGEN_GDAL(CSLAddString)
OROGEN_GDAL(CSLCount)
OROGEN_GDAL(CSLDestroy)
OROGEN_GDAL(CSLFetchNameValue)
OROGEN_GDAL(CSLTokenizeString)
OROGEN_GDAL(GDALClose)
OROGEN_GDAL(GDALCreate)
OROGEN_GDAL(GDALCreateCopy)
OROGEN_GDAL(GDALDataTypeIsComplex)
OROGEN_GDAL(GDALDeregisterDriver)
OROGEN_GDAL(GDALGetColorEntryAsRGB)
OROGEN_GDAL(GDALGetDataTypeName)
OROGEN_GDAL(GDALGetDataTypeSizeBits)
OROGEN_GDAL(GDALGetDatasetDriver)
OROGEN_GDAL(GDALGetDriverByName)
OROGEN_GDAL(GDALGetDriverShortName)
OROGEN_GDAL(GDALGetFileList)
OROGEN_GDAL(GDALGetGeoTransform)
OROGEN_GDAL(GDALGetMaskBand)
OROGEN_GDAL(GDALGetMaskFlags)
OROGEN_GDAL(GDALGetMetadataItem)
OROGEN_GDAL(GDALGetOverview)
OROGEN_GDAL(GDALGetOverviewCount)
OROGEN_GDAL(GDALGetRasterBand)
OROGEN_GDAL(GDALGetRasterBandXSize)
OROGEN_GDAL(GDALGetRasterBandYSize)
OROGEN_GDAL(GDALGetRasterColorInterpretation)
OROGEN_GDAL(GDALGetRasterColorTable)
OROGEN_GDAL(GDALGetRasterCount)
OROGEN_GDAL(GDALGetRasterDataType)
OROGEN_GDAL(GDALGetRasterNoDataValue)
OROGEN_GDAL(GDALGetRasterOffset)
OROGEN_GDAL(GDALGetRasterScale)
OROGEN_GDAL(GDALGetRasterUnitType)
OROGEN_GDAL(GDALGetRasterXSize)
OROGEN_GDAL(GDALGetRasterYSize)
OROGEN_GDAL(GDALGetSpatialRef)
OROGEN_GDAL(GDALOpenEx)
OROGEN_GDAL(GDALRasterIO)
OROGEN_GDAL(GDALRasterIOEx)
OROGEN_GDAL(GDALRegisterDriver)
OROGEN_GDAL(GDALRegister_WMS)
OROGEN_GDAL(GDALRegister_WMTS)
OROGEN_GDAL(GDALSetGeoTransform)
OROGEN_GDAL(GDALSetMetadataItem)
OROGEN_GDAL(GDALSetRasterColorInterpretation)
OROGEN_GDAL(GDALSetSpatialRef)
OROGEN_GDAL(OCTDestroyCoordinateTransformation)
OROGEN_GDAL(OCTNewCoordinateTransformation)
OROGEN_GDAL(OCTTransformEx)
OROGEN_GDAL(OSRClone)
OROGEN_GDAL(OSRDestroySpatialReference)
OROGEN_GDAL(OSRExportToWkt)
OROGEN_GDAL(OSRFindMatches)
OROGEN_GDAL(OSRFreeSRSArray)
OROGEN_GDAL(OSRGetAngularUnits)
OROGEN_GDAL(OSRGetAttrValue)
OROGEN_GDAL(OSRGetAuthorityCode)
OROGEN_GDAL(OSRGetAuthorityName)
OROGEN_GDAL(OSRGetAxesCount)
OROGEN_GDAL(OSRGetInvFlattening)
OROGEN_GDAL(OSRGetLinearUnits)
OROGEN_GDAL(OSRGetName)
OROGEN_GDAL(OSRGetNormProjParm)
OROGEN_GDAL(OSRGetPrimeMeridian)
OROGEN_GDAL(OSRGetSemiMajor)
OROGEN_GDAL(OSRGetTargetLinearUnits)
OROGEN_GDAL(OSRImportFromEPSG)
OROGEN_GDAL(OSRImportFromWkt)
OROGEN_GDAL(OSRIsCompound)
OROGEN_GDAL(OSRIsGeographic)
OROGEN_GDAL(OSRIsProjected)
OROGEN_GDAL(OSRNewSpatialReference)
OROGEN_GDAL(OSRSetAxisMappingStrategy)
OROGEN_GDAL(OSRSetFromUserInput)
OROGEN_GDAL(OSRStripVertical)
OROGEN_GDAL(VSICurlClearCache)
OROGEN_GDAL(VSIErrorReset)
OROGEN_GDAL(VSIFCloseL)
OROGEN_GDAL(VSIFOpenExL)
OROGEN_GDAL(VSIFOpenL)
OROGEN_GDAL(VSIFReadL)
OROGEN_GDAL(VSIFSeekL)
OROGEN_GDAL(VSIFree)
OROGEN_GDAL(VSIGetFileMetadata)
OROGEN_GDAL(VSIGetLastErrorMsg)
OROGEN_GDAL(VSIGetLastErrorNo)
OROGEN_GDAL(VSINetworkStatsGetAsSerializedJSON)
OROGEN_GDAL(VSIReadDirRecursive)
OROGEN_GDAL(VSIStatExL)
OROGEN_GDAL(VSIStatL)

#undef OROGEN_GDAL
#pragma GCC diagnostic pop

}  // namespace orogen
